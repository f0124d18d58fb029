import fs from "node:fs";
import { describe, expect, it } from "vitest";

/** Every TypeScript file below these folders. */
function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => fs.readFileSync(`${folder}/${name}`, "utf8")),
  );
}

describe("icons of panels", () => {
  it("are bundled, each one that is asked for: another name would be a question mark", () => {
    const bundled = new Set(
      [...fs.readFileSync("webviews/kit/icons.ts", "utf8").matchAll(/src\/icons\/([a-z-]+)\.svg/g)].map(
        ([, name]) => name,
      ),
    );
    const asked = sourcesIn("src/panels", "webviews").flatMap((text) =>
      [...text.matchAll(/\bicon(?:: |=|\()"([a-z-]+)"|<Icon name="([a-z-]+)"/g)].map(
        ([, name, shown]) => name ?? shown,
      ),
    );
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !bundled.has(name))).toEqual([]);
  });
});
