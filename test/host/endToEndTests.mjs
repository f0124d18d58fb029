/**
 * `npm run test:e2e`: packages the extension, then runs the tests of test/e2e, which use it as a person does, two files at a
 * time where there are two cores. An argument chooses the tests whose titles hold it.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundleTests, testsFolder } from "./bundleTests.mjs";
import { installHost } from "./install.mjs";
import { installedExtension } from "./installed.mjs";
import { program } from "./program.mjs";

// Where tests run as root (in a container), Open MPI wants to be told that this is meant, and has few cores for its ranks.
Object.assign(process.env, {
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  OMPI_MCA_rmaps_base_oversubscribe: "1",
});

await program(async () => {
  installHost();
  installedExtension();
  await bundleTests("e2e");
  const { run } = await import(pathToFileURL(path.join(testsFolder("e2e"), "index.mjs")).href);
  return (await run(process.argv[2])) > 0 ? 1 : 0;
});
