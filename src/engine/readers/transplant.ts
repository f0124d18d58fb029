/** Objects of classes, sent from one thread to another: columns change hands, everything else is copied. */
type Class = abstract new (...args: never[]) => object;

/** What `postMessage` takes. */
export interface Transplant {
  readonly root: unknown;
  /** Objects inside of `root` that are no plain ones, and the number of the class of each. */
  readonly instances: readonly object[];
  readonly classOf: Uint8Array;
}

/**
 * Takes everything that can be reached from `root`; it must not be used any more.
 *
 * @param classes of all objects in it that are not plain
 * @throws Error where something in it cannot be sent: a function, or an object of another class
 */
export function transplantOf(
  root: unknown,
  classes: readonly Class[],
): { transplant: Transplant; transfer: ArrayBuffer[] } {
  const numberOf = new Map<object, number>(classes.map((one, index) => [one.prototype as object, index]));
  const instances: object[] = [];
  const classNumbers: number[] = [];
  const buffers = new Set<ArrayBuffer>();
  const seen = new Set<object>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "function") throw new Error("a function cannot be sent to another thread");
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else if (Array.isArray(value)) {
      // Lists of texts and numbers are long; nothing in them leads on.
      for (const one of value) if (typeof one === "object" || typeof one === "function") pending.push(one);
    } else if (value instanceof Map) {
      for (const [key, one] of value) pending.push(key, one);
    } else if (value instanceof Set) {
      for (const one of value) pending.push(one);
    } else {
      const prototype = Object.getPrototypeOf(value) as object | null;
      if (prototype !== Object.prototype && prototype !== null) {
        const number = numberOf.get(prototype);
        if (number === undefined) throw new Error(`a ${value.constructor.name} cannot be sent to another thread`);
        instances.push(value);
        classNumbers.push(number);
      }
      for (const one of Object.values(value)) pending.push(one);
    }
  }
  return { transplant: { root, instances, classOf: Uint8Array.from(classNumbers) }, transfer: [...buffers] };
}

/** The other thread's side: the same objects, of the same classes. */
export function transplanted({ root, instances, classOf }: Transplant, classes: readonly Class[]): unknown {
  for (const [at, instance] of instances.entries())
    Object.setPrototypeOf(instance, classes[classOf[at]].prototype as object);
  return root;
}
