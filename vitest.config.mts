import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Forks, not threads: some tests start worker threads of their own and measure memory of the process.
    pool: "forks",
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 60_000 } },
      {
        extends: true,
        test: { name: "conformance", include: ["test/conformance/**/*.test.ts"], testTimeout: 120_000 },
      },
      { extends: true, test: { name: "webview", include: ["test/webview/**/*.test.ts"], testTimeout: 120_000 } },
    ],
  },
});
