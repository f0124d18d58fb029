import fc from "fast-check";

// What fails is told again with HEATFLOW_SEED.
fc.configureGlobal({ seed: Number(process.env.HEATFLOW_SEED) });
