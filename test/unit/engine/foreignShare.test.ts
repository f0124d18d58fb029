import fc from "fast-check";
import { expect, it } from "vitest";
import { foreignShare } from "../../../src/engine/dataSets/foreignShare";
import { casesOf } from "../randomCases";
import { type Cost, openRecording } from "./recordings";

/** Load modules, and whether they are the kernel's or a library's. */
const MODULES: Readonly<Record<string, boolean>> = {
  "/home/me/muscle": false,
  "/home/me/build/libown.so": false,
  "/usr/lib/x86_64-linux-gnu/libc.so.6": true,
  "/opt/mpi/lib/libmpi.so.40": true,
  "[kernel.kallsyms]": true,
  "/lib/modules/6.1/kernel/nvidia.ko": true,
};

it("is what the kernel and libraries have, without a library that has half of all", () => {
  const cost = fc.record({
    module: fc.option(fc.constantFrom(...Object.keys(MODULES)), { nil: undefined }),
    quarters: fc.integer({ min: 0, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(cost, { minLength: 1, maxLength: 12 }), (given) => {
      const costs = given.map(({ module, quarters }, at): Cost => [
        ["main", { name: `f${at}`, kind: "function", ...(module === undefined ? {} : { module }) }],
        0,
        quarters / 4,
      ]);
      const total = given.reduce((sum, { quarters }) => sum + quarters, 0);
      const of = (wanted: string) =>
        given.reduce((sum, { module, quarters }) => (module === wanted ? sum + quarters : sum), 0);
      const isOwn = (module: string) => module.includes(".so") && of(module) >= total / 2;
      const foreign = Object.keys(MODULES).filter((module) => MODULES[module] && !isOwn(module));
      const expected = foreign.reduce((sum, module) => sum + of(module), 0);
      const { open } = openRecording(costs);
      expect(foreignShare(open, 0)).toBeCloseTo(total > 0 ? expected / total : 0, 12);
    }),
    { numRuns: casesOf(300) },
  );
});
