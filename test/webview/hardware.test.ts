import { describe, expect, it, test, vi } from "vitest";
import type { Hardware, HardwareElement, HardwareLink } from "../../src/engine/api";
import type { HardwareKind } from "../../src/model/hardware";
import type { View } from "../../src/panels/kit/definition";
import { hardware } from "../../src/panels/hardware/definition";
import type { HardwareState } from "../../src/protocol/hardware";
import { details, markFacts, summary, systemShares, usesIn } from "../../webviews/hardware/describe";
import { draw, fillOf } from "../../webviews/hardware/drawing";
import { boxesOf } from "../../webviews/hardware/layout";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { sampleWorld, viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = async (): Promise<View<HardwareState>> => viewOf(await sampleWorld(), hardware.start);

const none = { share: NaN, by: undefined, known: 0, least: NaN, most: NaN, bytes: NaN, capacity: NaN } as const;

function part(kind: HardwareKind, name: string, parent: number, more: Partial<HardwareElement> = {}): HardwareElement {
  const share = more.share ?? NaN;
  const known = Number.isNaN(share) ? 0 : 1;
  const use = { ...none, share, known, least: share, most: share };
  return { ...use, name, type: kind, kind, parent, size: "", together: 1, lanes: [], members: undefined, ...more };
}

function machine(
  elements: readonly HardwareElement[],
  links: readonly HardwareLink[] = [],
  more: Partial<Hardware> = {},
): Hardware {
  const lanes = elements.reduce((most, one) => Math.max(most, ...one.lanes), -1) + 1;
  const laneNames = Array.from({ length: lanes }, (_, lane) => `rank ${lane}`);
  return { startSeconds: 0, endSeconds: 0.16, elements, links, recorded: elements.length, laneNames, ...more };
}

/** A node of two packages, each with caches and cores, and of four GPUs. */
function node(): Hardware {
  const elements = [part("machine", "node17", -1, { share: 0.61, by: "threads", lanes: [0, 1, 2, 3], size: "270 GB" })];
  for (let at = 0; at < 2; at++) {
    const own = elements.push(part("package", `Package ${at}`, 0, { share: 0.55 + at / 10, by: "inside" })) - 1;
    elements.push(part("memory", `NUMANode ${at}`, own, { size: "135 GB" }));
    elements.push(part("cache", "L3", own, { size: "33.6 MB" }));
    for (let core = 0; core < 8; core++) {
      const holder = elements.push(part("core", `Core ${core}`, own, { share: core / 8, by: "system" })) - 1;
      for (let thread = 0; thread < 2; thread++)
        elements.push(part("hardware thread", `PU ${2 * core + thread}`, holder, { share: core / 8, by: "system" }));
    }
  }
  const links: HardwareLink[] = [];
  for (let at = 0; at < 4; at++) {
    const gpu = part("GPU", `GPU ${at}`, -1, {
      size: "16.9 GB",
      lanes: [at],
      members: { by: "rank", members: [`${at}`] },
      ...(at < 3 ? { share: [0.93, 0.4, 0.02][at], by: "kernels" as const } : {}),
    });
    const own = elements.push(gpu) - 1;
    links.push({
      of: "transfers",
      from: 0,
      to: own,
      name: "",
      together: 1,
      count: 12,
      capacity: NaN,
      rate: 1.2e10 / (at + 1),
      share: 0.2 * at,
      by: "transfers",
      bytes: 2 ** 31 / (at + 1),
      bytesBack: 2 ** 20,
    });
  }
  return machine(elements, links);
}

/** A grid: hosts and network links as SimGrid has them, most of them one box. */
function grid(): Hardware {
  const elements: HardwareElement[] = [];
  const links: HardwareLink[] = [];
  for (let site = 0; site < 9; site++) {
    const zone = elements.push(part("zone", `AS_site${site}`, -1, { type: "L1" })) - 1;
    for (let cluster = 0; cluster < 3; cluster++) {
      const own = elements.push(part("zone", `AS_cluster${site}-${cluster}`, zone, { type: "L2" })) - 1;
      const share = (site + cluster) / 12;
      const hosts = part("machine", `${51 + cluster} hosts`, own, {
        type: "HOST",
        together: 51 + cluster,
        share,
        by: "capacity",
        known: 51,
        least: share / 2,
        most: share * 1.3,
      });
      elements.push(hosts, part("link", "103 links", own, { type: "LINK", together: 103 }));
      const router = elements.push(part("router", `router${site}-${cluster}`, own)) - 1;
      const up =
        elements.push(part("link", `link${cluster}`, zone, { share: 0.1, by: "capacity", capacity: 1.25e9 })) - 1;
      const line = { of: "topology", together: 1, count: 0, name: "G", rate: NaN, bytesBack: NaN, ...none } as const;
      links.push({ ...line, from: router, to: up, capacity: 1.25e9 });
    }
  }
  return machine(elements, links, { recorded: 4797 });
}

const hostile = machine(
  [
    part("machine", HOSTILE_NAME, -1),
    part("core", HOSTILE_NAME, 0),
    part("GPU", HOSTILE_NAME, -1, { type: HOSTILE_NAME }),
  ],
  [],
  { startSeconds: 0, endSeconds: 0 },
);

panelLaws({
  definition: hardware,
  draw,
  async samples() {
    const own = await view();
    return [
      { name: "a node", view: { ...own, window: { from: 0.0617, to: 0.07 } }, shown: node(), isPictured: true },
      { name: "a grid", view: own, shown: grid(), isPictured: true },
      { name: "one GPU", view: own, shown: machine([part("GPU", "GPU 0", -1)]) },
      { name: "hostile names", view: own, shown: hostile },
    ];
  },
});

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

test("a machine of which 93 % of the threads' time computes, and which the system saw busy for 14 %, says of what each is", async () => {
  const threads = part("machine", "node17", -1, { share: 0.931, by: "threads", lanes: [0, 1] });
  const system = part("hardware thread", "PU 0", 0, { share: 0.139, by: "system" });
  const content = hardware.content(machine([threads, system]), await view());
  const texts = (width: number) =>
    draw(content, { ...wide, width, height: 200 }).above.flatMap((shape) =>
      shape.kind === "text" ? [plain(shape.text)] : [],
    );
  const plain = (text = "") => text.replaceAll("\u00a0", " ");
  expect(texts(600)).toEqual(["node17", "93.1 % of its threads' time", "PU 0", "13.9 % busy"]);
  // Where there is no room for it the number stands alone; tooltip and legend say it.
  expect(texts(150)).toEqual(["node17", "93.1 %", "PU 0", "13.9 % busy"]);
  expect(markFacts(content, 0)[0].map(plain)).toEqual(["its threads compute", "93.1 %", "mean over its threads"]);
  expect(markFacts(content, 1)[0].map(plain)).toEqual(["busy, whatever ran, as the system measured", "13.9 %"]);
  expect(usesIn(content).map(([what]) => what)).toEqual(["its threads' time", "busy"]);
  expect(usesIn(hardware.content(grid(), await view())).map(([what]) => what)).toEqual(["capacity"]);
});

test("what the system saw busy is grey, what the recording used is in heat, and so are means of each", async () => {
  const elements = [
    part("machine", "node17", -1, { share: 0.9, by: "threads", lanes: [0] }),
    part("package", "Package 0", 0, { share: 0.5, by: "inside" }),
    part("core", "Core 0", 1, { share: 0.5, by: "inside" }),
    part("hardware thread", "PU 0", 2, { share: 0.5, by: "system" }),
    part("machine", "node18", -1, { share: 0.5, by: "inside" }),
    part("core", "Core 1", 4, { share: 0.5, by: "threads", lanes: [1] }),
    part("machine", "node19", -1),
  ];
  const content = hardware.content(machine(elements), await view());
  expect(systemShares(content)).toEqual([false, true, true, true, false, false, false]);
  const fills = draw(content, wide).marks.map(({ paint }) => paint.fill);
  const [heat, grey] = [plainTheme.heat(0.5), fillOf(0.5, true, plainTheme)];
  expect(grey).not.toBe(heat);
  expect(fills).toEqual([plainTheme.heat(0.9), grey, grey, grey, heat, heat, plainTheme.background]);
});

test("caches of a core share one line, and empty devices are small beside processors", () => {
  const caches = ["L1d", "L1i", "L2"].map((type) => ({ parent: 0, kind: "cache" as const, type, share: null }));
  const core = { kind: "core" as const, type: "Core", share: 0.5 };
  const thread = { parent: 0, kind: "hardware thread" as const, type: "PU", share: 0.5 };
  const boxes = boxesOf([{ ...core, parent: -1 }, ...caches, thread], { width: 200, height: 160 }, false);
  const [own, ...inside] = boxes;
  const [pu] = inside.splice(-1);
  expect(new Set(inside.map(({ y }) => y)).size).toBe(1);
  expect(inside.every(({ height }) => height <= 16)).toBe(true);
  expect(pu.height).toBeGreaterThan(own.height / 2);
  const device = { parent: -1, kind: "device" as const, type: "PCI", share: null };
  const [processor, empty] = boxesOf([{ ...core, parent: -1 }, device], { width: 200, height: 300 }, false);
  expect(empty.height).toBeLessThan(processor.height / 2);
});

describe("boxes in little room", () => {
  it("have names that tell them from those beside them", async () => {
    const own = await view();
    const content = hardware.content(grid(), own);
    for (const width of [400, 600, 1400]) {
      const { above } = draw(content, { ...wide, width, height: 640 });
      const shown = new Map(above.flatMap((shape) => (shape.kind === "text" ? [[shape.of, shape.text] as const] : [])));
      const bySite = new Map<number, string[]>();
      content.elements.forEach(({ name, parent }, at) => {
        const text = shown.get(at);
        if (text !== undefined && name.startsWith("AS_cluster"))
          bySite.set(parent, [...(bySite.get(parent) ?? []), text]);
      });
      expect(bySite.size, String(width)).toBeGreaterThan(3);
      for (const texts of bySite.values())
        expect(new Set(texts).size, `${texts.join()} at ${width}`).toBe(texts.length);
    }
  });
});

describe("the hardware", () => {
  it("says how much a part was used, of what, and that nothing is known where nothing was recorded", async () => {
    const content = hardware.content(node(), await view());
    expect(markFacts(content, 0)).toEqual([
      ["its threads compute", "61.0 %", "mean over its threads"],
      ["size", "270 GB"],
      ["4 lanes", "rank 0, rank 1, rank 2, rank 3"],
      ["recorded as", "machine"],
    ]);
    const gpus = content.elements.flatMap(({ kind }, at) => (kind === "GPU" ? [at] : []));
    expect(markFacts(content, gpus[1])[0]).toEqual(["a kernel runs", "40.0 %"]);
    expect(markFacts(content, gpus[3])[0]).toEqual(["use", "not recorded"]);
    expect(details(content, gpus[1])?.actions).toEqual([
      { id: "restrict", name: "Restrict to rank 1", icon: "filter" },
    ]);
    expect(markFacts(content, content.elements.length)).toEqual([
      ["a transfer is under way", "0 %"],
      ["to GPU 0", "2.15 GB"],
      ["to node17", "1.05 MB"],
      ["count", "12 transfers"],
      ["rate while it moved, whole run", "12.0 GB/s"],
      ["capacity", "not recorded"],
    ]);
  });

  it("always says of which part of the run", async () => {
    const own = await view();
    expect(summary(hardware.content(node(), own))[2]).toBe("whole run · 160 ms");
    const part = { ...own, window: { from: 0.0617, to: 0.07 } };
    expect(summary(hardware.content(node(), part))[2]).toBe("61.7 – 70.0 ms · 8.30 ms of 160 ms");
    expect(summary(hardware.content(hostile, own))[2]).toBe("no times were recorded");
  });

  it("says that neighbours share a box, with least and most", async () => {
    const content = hardware.content(grid(), await view());
    const hosts = content.elements.findIndex(({ name }) => name === "52 hosts");
    expect(markFacts(content, hosts).slice(0, 3)).toEqual([
      ["of its capacity is used", "8.33 %"],
      ["each", "4.17 % – 10.8 %"],
      ["known of", "51 of 52"],
    ]);
    expect(hardware.notes?.(grid(), await view())).toEqual([
      "4,797 parts were recorded: neighbours of one type share a box, with the mean of what is known of them.",
    ]);
  });

  it("has each part in the one that holds it, and neighbours apart", async () => {
    for (const shown of [node(), grid()]) {
      const { elements } = hardware.content(shown, await view());
      for (const { width, height } of [wide, { width: 300, height: 900 }, { width: 40, height: 40 }]) {
        const boxes = boxesOf(elements, { width, height }, true);
        elements.forEach(({ parent }, at) => {
          const [own, outer] = [boxes[at], parent < 0 ? { x: 0, y: 0, width, height } : boxes[parent]];
          expect(own.width >= 0 && own.height >= 0).toBe(true);
          expect(own.x >= outer.x - 1e-6 && own.y >= outer.y - 1e-6).toBe(true);
          expect(own.x + own.width <= outer.x + outer.width + 1e-6).toBe(true);
          expect(own.y + own.height <= outer.y + outer.height + 1e-6).toBe(true);
          elements.forEach((other, to) => {
            if (to <= at || other.parent !== parent) return;
            const [wideBoth, highBoth] = (["x", "y"] as const).map((side) => {
              const size = side === "x" ? "width" : "height";
              return (
                Math.min(own[side] + own[size], boxes[to][side] + boxes[to][size]) -
                Math.max(own[side], boxes[to][side])
              );
            });
            expect(Math.min(wideBoth, highBoth)).toBeLessThan(1e-6);
          });
        });
      }
    }
  });

  it("restricts to what runs on a part, or says why it cannot", async () => {
    const chosen: unknown[] = [];
    const notices: string[] = [];
    const own = await view();
    const session = { ...own.session, setRestriction: (...what: unknown[]) => chosen.push(what) };
    const panel = { view: { ...own, session }, notice: (text: string) => notices.push(text) } as never;
    const shown = node();
    const gpu = shown.elements.findIndex(({ name }) => name === "GPU 1");
    await hardware.actions?.restrict(shown, gpu, panel);
    expect(chosen).toEqual([[own.dataSet.id, { by: "rank", members: ["1"] }]]);
    await hardware.actions?.restrict(shown, 0, panel);
    expect(notices[0]).toMatch(/^This is the whole recording/);
  });

  it("says what a recording lacks", async () => {
    const { dataSet } = await view();
    expect(hardware.unmeasured?.({ ...dataSet, resources: [{ type: "process", count: 8 }] })).toMatch(
      /^No machine, core, GPU or network link was recorded/,
    );
    expect(hardware.unmeasured?.({ ...dataSet, resources: [{ type: "GPU", count: 1 }] })).toBeUndefined();
  });

  it("has wide lines only where none passes behind a box", async () => {
    const own = await view();
    let hidden = 0;
    for (const [width, shown] of [400, 600, 1400].flatMap((one) => [[one, node()] as const, [one, grid()] as const])) {
      const { elements, links, ...content } = hardware.content(shown, own);
      const { below } = draw({ elements, links, ...content }, { ...wide, width, height: 600 });
      const boxes = below.flatMap((shape) => (shape.kind === "box" ? [shape.box] : []));
      const lines = below.flatMap((shape) => (shape.kind === "path" ? [shape] : []));
      const holders = (end: number): number[] => (end < 0 ? [] : [end, ...holders(elements[end].parent)]);
      const behind = lines.filter(({ d }, link) => {
        const [x1, y1, x2, y2] = d.split(/[ML,]/).slice(1).map(Number);
        const others = boxes.filter((_, at) => ![links[link].from, links[link].to].flatMap(holders).includes(at));
        // Point by point.
        return Array.from({ length: 400 }, (_, step) => (step + 0.5) / 400).some((share) => {
          const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
          return others.some((box) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
        });
      });
      const widest = Math.max(...lines.map(({ strokeWidth }) => strokeWidth ?? 0));
      expect(widest, `at ${width}`).toBe(behind.length > 0 ? 2 : 7);
      hidden += behind.length;
    }
    expect(hidden).toBeGreaterThan(0);
  });

  it("has a dashed frame around what is highlighted, and nothing else", async () => {
    const content = hardware.content(node(), await view());
    const framed = (places: readonly number[]) => {
      const highlighted = { name: "rank 0", places: new Set(places), kinds: new Set<never>() };
      return draw(content, { ...wide, highlighted }).above.filter(({ dash }) => dash !== undefined).length;
    };
    expect([framed([]), framed([1]), framed([1, 2])]).toEqual([0, 1, 2]);
    // What runs on a part is what is highlighted: the innermost parts that have some of it.
    const last = content.elements.length - 1;
    const at = { dataSet: 1, lanes: [3], kinds: [], name: "" };
    expect(hardware.highlighted?.(node(), at, await view())).toEqual([0, last]);
  });
});
