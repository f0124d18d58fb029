import { describe, expect, it } from "vitest";
import { transplanted, transplantOf } from "../../../../src/engine/readers/transplant";

class Kept {
  constructor(readonly names: ReadonlySet<string>) {}
}

describe("objects on their way to another thread", () => {
  it("are of the same classes, and hold as many members as there are", () => {
    const names = new Set(Array.from({ length: 200_000 }, (_, at) => `name ${at}`));
    const byName = Object.fromEntries([...names].map((name) => [name, [name]]));
    const { transplant } = transplantOf({ kept: new Kept(names), byName }, [Kept]);
    const { kept, byName: others } = transplanted(structuredClone(transplant), [Kept]) as {
      kept: Kept;
      byName: object;
    };
    expect(kept).toBeInstanceOf(Kept);
    expect(kept.names.size).toBe(200_000);
    expect(Object.keys(others)).toHaveLength(200_000);
  });
});
