// ONNX Runtime's milliseconds for bench_gpt2.py, where Python has no onnxruntime and node has
// onnxruntime-node (npm install, NODE_PATH): node onnx_times.js THREADS TOKENS FILE.onnx ...
// Writes "ready", then for each line of the input, a number of tokens, how long the run took.
const ort = require("onnxruntime-node");
const readline = require("node:readline");

async function main([threads, ...files]) {
  const sessions = new Map();
  for (let i = 0; i < files.length; i += 2) {
    const options = { intraOpNumThreads: Number(threads), executionProviders: ["cpu"] };
    sessions.set(files[i], await ort.InferenceSession.create(files[i + 1], options));
  }
  console.log("ready");
  for await (const tokens of readline.createInterface({ input: process.stdin })) {
    const ids = BigInt64Array.from({ length: Number(tokens) }, (_, i) => BigInt((i * 7) % 50257));
    const begin = performance.now();
    await sessions.get(tokens).run({ ids: new ort.Tensor("int64", ids, [ids.length]) });
    console.log(performance.now() - begin);
  }
}

main(process.argv.slice(2));
