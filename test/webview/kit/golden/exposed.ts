/** Build step of pages in tests: a page shows its definition, content and scene in `exposed`. */
import path from "node:path";
import type { Plugin } from "esbuild";

const START = path.resolve("webviews/kit/page");

export function exposeDefinition(): Plugin {
  return {
    name: "expose-definition",
    setup(build) {
      build.onResolve({ filter: /\/kit\/page$/ }, ({ path: asked, resolveDir, namespace }) =>
        namespace === "file" && path.resolve(resolveDir, asked) === START
          ? { path: START, namespace: "exposed" }
          : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "exposed" }, () => ({
        resolveDir: path.dirname(START),
        contents: `
          import { startPage as start } from "./page.ts";
          export function startPage(definition) {
            const exposed = (globalThis.exposed = { definition });
            const draw = (content, view, seen) => {
              const scene = definition.draw(content, view, seen);
              exposed.shown = () => ({ content, scene });
              return scene;
            };
            const stage = definition.stage && ((hooks) => {
              const made = definition.stage(hooks);
              exposed.shown = () => ({ content: hooks.shown()?.content, scene: made.scene });
              return made;
            });
            start({ ...definition, draw, ...(stage ? { stage } : {}) });
          }
        `,
      }));
    },
  };
}
