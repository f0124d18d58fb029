/** Decimals as exact integers: the arithmetic that times of traces are compared with. */

/** @returns `units` of 10⁻ᵖˡᵃᶜᵉˢ as text, with all places */
export function decimalText(units: bigint, places: number): string {
  const digits = `${units < 0n ? -units : units}`.padStart(places + 1, "0");
  const fraction = places === 0 ? "" : `.${digits.slice(-places)}`;
  return `${units < 0n ? "-" : ""}${digits.slice(0, digits.length - places)}${fraction}`;
}

/** The double nearest to `units` of 10⁻ᵖˡᵃᶜᵉˢ. */
export function nearest(units: bigint, places: number): number {
  return Number(decimalText(units, places));
}

/** The whole seconds at or before a time. */
export function floorOf(units: bigint, places: number): bigint {
  const scale = 10n ** BigInt(places);
  const rest = ((units % scale) + scale) % scale;
  return (units - rest) / scale;
}
