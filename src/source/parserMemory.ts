import fs from "node:fs";

/** What is used of WebAssembly: the compiler's declaration of it is a part of those for browsers. */
interface WebAssemblyHere {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (compiled: object, imports: object) => object;
  readonly RuntimeError: ErrorConstructor;
}
const { compile, Instance, RuntimeError } = (globalThis as unknown as { WebAssembly: WebAssemblyHere }).WebAssembly;

/** What a runtime that emscripten made takes from outside, as far as it is looked at here. */
interface RuntimeImports {
  readonly env: {
    readonly memory: { readonly buffer: ArrayBuffer };
    readonly __stack_pointer: { value: number };
  };
}

/**
 * The memory that all parsers of a thread share. What goes wrong in the middle of a text (memory at its end, a grammar's scanner that reads
 * beyond it) leaves it half written, for every later text too: it is set back to what it was when the grammars were loaded.
 */
export class ParserMemory {
  private kept: { readonly bytes: Uint8Array; readonly stackPointer: number } | undefined;

  private constructor(
    readonly memory: RuntimeImports["env"]["memory"],
    private readonly stackPointer: RuntimeImports["env"]["__stack_pointer"],
  ) {}

  /**
   * Starts a runtime, and keeps hold of its memory: the library hands out neither, and starts only once.
   *
   * @param file the runtime's `.wasm`
   * @param start gets what emscripten's runtimes are started with
   */
  static async of(file: string, start: (options: object) => Promise<void>): Promise<ParserMemory> {
    const compiled = await compile(await fs.promises.readFile(file));
    let memory: ParserMemory | undefined;
    await start({
      instantiateWasm(imports: RuntimeImports, receive: (instance: object, of: object) => void) {
        memory = new ParserMemory(imports.env.memory, imports.env.__stack_pointer);
        receive(new Instance(compiled, imports), compiled);
      },
    });
    if (memory === undefined) throw new Error(`${file} was not started`);
    return memory;
  }

  /** Bytes that the memory has grown to. */
  get size(): number {
    return this.memory.buffer.byteLength;
  }

  /** Where its stack has got to. */
  get stack(): number {
    return this.stackPointer.value;
  }

  /** What the memory holds now is what it is set back to. */
  keep(): void {
    const words = new Uint32Array(this.memory.buffer);
    let end = words.length;
    while (end > 0 && words[end - 1] === 0) end--;
    this.kept = { bytes: new Uint8Array(this.memory.buffer.slice(0, 4 * end)), stackPointer: this.stack };
  }

  restore(): void {
    if (this.kept === undefined) return;
    const { bytes, stackPointer } = this.kept;
    const all = new Uint8Array(this.memory.buffer);
    all.set(bytes);
    all.fill(0, bytes.length);
    this.stackPointer.value = stackPointer;
  }
}

/** Whether an error came out of WebAssembly, or of calls that were too deep for it: its memory may be in any state. */
export function isTrap(error: unknown): boolean {
  return error instanceof RuntimeError || (error instanceof RangeError && error.message.includes("call stack"));
}
