import { counted } from "./texts";

/**
 * Text for frames without a name.
 *
 * @param address of the innermost frame, in hexadecimal
 * @param frames number of frames on the stack that the row stands for
 * @returns `3 frames without a name, the innermost at 0x7f12`
 */
export function namelessText({ address, frames }: { readonly address: string; readonly frames: number }): string {
  return frames === 1
    ? `a frame without a name, at ${address}`
    : `${counted(frames, "frame")} without a name, the innermost at ${address}`;
}
