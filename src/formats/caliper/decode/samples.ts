import { addressOfBits, type Frame } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import { ownName } from "../names/calledFunctions";
import type { Recording } from "./recording";

/** Content of a sample attribute: of the sampled place (`pc`) or of each call on the path to it (`path`). */
export interface SampleAttribute {
  readonly of: "pc" | "path";
  readonly what: "function" | "place" | "file" | "line" | "module" | "address";
}

const WHAT: ReadonlyMap<string, SampleAttribute["what"]> = new Map([
  ["source.function", "function"],
  ["sourceloc", "place"],
  ["source.file", "file"],
  ["source.line", "line"],
  ["module", "module"],
]);

/** Reads names such as `source.function#cali.sampler.pc`. @returns undefined for all other attributes */
export function sampleAttribute(name: string): SampleAttribute | undefined {
  if (name === "callpath.address") return { of: "path", what: "address" };
  if (name === "cali.sampler.pc") return { of: "pc", what: "address" };
  const hash = name.indexOf("#");
  const what = WHAT.get(name.slice(0, hash));
  const address = name.slice(hash + 1);
  if (what === undefined) return undefined;
  if (address === "cali.sampler.pc") return { of: "pc", what };
  return address === "callpath.address" ? { of: "path", what } : undefined;
}

/** The sample's nodes of one record, outermost call first. */
export type SampleNodes = readonly { readonly attribute: SampleAttribute; readonly text: string }[];

/**
 * Frames of sampled records below the regions (semantics 1, Samples): the sampled line innermost, above it the sampled function, above that
 * the calls on the path. A line is a place, never part of a function's identity.
 */
export class SampleFrames {
  /** Whether a region, or one above it, has a function's name: by region, then by name. */
  private readonly enclosing = new Map<number, Map<string, boolean>>();

  constructor(private readonly recording: Recording) {}

  /**
   * @param region innermost region of the record, {@link NONE} outside of any
   * @returns the context of the record, in the hierarchy that was chosen for the recording
   */
  context(region: number, nodes: SampleNodes): number {
    const { recording } = this;
    if (recording.hierarchy === "regions") return region === NONE ? recording.outside() : region;
    const { functions, line } = this.frames(nodes);
    let context: number;
    if (recording.hierarchy === "callPaths") {
      context = functions.length === 0 ? recording.outside() : NONE;
    } else {
      for (let at = functions.length - 1; at >= 0; at--) {
        if (this.encloses(region, ownName(functions[at].name))) {
          functions.splice(0, at + 1);
          break;
        }
      }
      context = region === NONE ? recording.outside() : region;
    }
    for (const frame of functions) context = recording.tree.child(context, recording.frames.intern(frame));
    return line === undefined ? context : recording.tree.child(context, recording.frames.intern(line));
  }

  private frames(nodes: SampleNodes): { functions: Frame[]; line: Frame | undefined } {
    const texts = (of: SampleAttribute["of"], what: SampleAttribute["what"]) =>
      nodes.filter(({ attribute }) => attribute.of === of && attribute.what === what).map(({ text }) => text);
    const names = texts("path", "function");
    const modules = texts("path", "module");
    const addresses = texts("path", "address");
    const functions: Frame[] = (names.length > 0 ? names : addresses.map(() => "UNKNOWN")).map((name, at) => ({
      name: name === "" ? "UNKNOWN" : name,
      kind: "function",
      module: modules.length === names.length ? known(modules[at]) : undefined,
      // Placeholders need an address to differ. With an address, a function would be split into its call sites.
      address: isUnknown(name) && addresses[at] !== undefined ? addressOf(addresses[at]) : undefined,
    }));
    const sampled = texts("pc", "function").at(-1);
    const module = known(texts("pc", "module").at(-1));
    if (sampled !== undefined && functions.at(-1)?.name !== sampled) {
      const name = sampled === "" ? "UNKNOWN" : sampled;
      const onPath = functions.length > 0 && modules.length === 0;
      functions.push({ name, kind: "function", module: onPath ? undefined : module });
    }
    if (sampled !== undefined && module !== undefined) this.noteModule(sampled, module);
    return { functions, line: lineOf(nodes, "pc") ?? lineOf(nodes, "path") };
  }

  /** Notes the load module of a sampled function. It applies to the whole recording, since call paths name no modules. */
  private noteModule(name: string, module: string): void {
    let modules = this.recording.modulesOf.get(name);
    if (!modules) this.recording.modulesOf.set(name, (modules = new Set()));
    modules.add(module);
  }

  private encloses(region: number, name: string): boolean {
    const { tree, frames } = this.recording;
    const visited: Map<string, boolean>[] = [];
    let answer = false;
    for (let at = region; at !== NONE; at = tree.parentOf(at)) {
      let names = this.enclosing.get(at);
      if (!names) this.enclosing.set(at, (names = new Map()));
      const known = names.get(name);
      if (known !== undefined) {
        answer = known;
        break;
      }
      visited.push(names);
      if (ownName(frames.nameOf(tree.frameOf(at))) === name) {
        answer = true;
        break;
      }
    }
    for (const names of visited) names.set(name, answer);
    return answer;
  }
}

function lineOf(nodes: SampleNodes, of: SampleAttribute["of"]): Frame | undefined {
  let file: string | undefined;
  let line = 0;
  for (const { attribute, text } of nodes) {
    if (attribute.of !== of) continue;
    if (attribute.what === "file") file = text;
    else if (attribute.what === "line") line = Number(text);
    else if (attribute.what === "place") {
      const colon = text.lastIndexOf(":");
      file = colon > 0 ? text.slice(0, colon) : undefined;
      line = Number(text.slice(colon + 1));
    }
  }
  if (file === undefined || isUnknown(file) || !Number.isSafeInteger(line) || line < 1 || line > 0x7fffffff)
    return undefined;
  return { name: `${file}:${line}`, kind: "line", file, line };
}

function known(text: string | undefined): string | undefined {
  return text === undefined || isUnknown(text) ? undefined : text;
}

function isUnknown(text: string): boolean {
  return text === "" || text === "UNKNOWN";
}

/** Addresses are hex without 0x. */
function addressOf(text: string): number | undefined {
  return /^[0-9a-f]{1,16}$/i.test(text) ? addressOfBits(BigInt(`0x${text}`)) : undefined;
}
