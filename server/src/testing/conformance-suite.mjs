// Runs scenarios of the conformance suite of the Model Context Protocol one after the other: to load the suite takes
// longer than most of them. A message is the arguments of its command; the answer, what it wrote and its exit code.
import './add-glob-sync.mjs';
import { fileURLToPath } from 'node:url';

const suite = import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js');
class Exit extends Error {}

let output = '';
let exit = () => {};
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text) => {
    output += text;
    return true;
  };
}
// The suite goes on after this call, which never came back.
process.exit = (code) => {
  exit(code);
  throw new Exit();
};
process.on('unhandledRejection', (reason) => {
  if (!(reason instanceof Exit)) {
    throw reason;
  }
});

let runs = 0;
process.on('message', async (args) => {
  runs += 1;
  output = '';
  process.argv = [process.execPath, fileURLToPath(suite), ...args];
  const ended = new Promise((resolve) => {
    exit = resolve;
  });
  // It reads its arguments when it is imported.
  await import(`${suite}?run=${runs}`);
  process.send({ code: await ended, output });
});
