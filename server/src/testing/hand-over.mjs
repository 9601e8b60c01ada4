// What the conformance suite starts as a client: hands what it gets to the test, the address of the suite's
// server and what else there is to know, and ends when the test is done with it.
import { argv, env } from 'node:process';

const [, , test, address] = argv;
// biome-ignore lint/style/noProcessEnv: the suite says it there, to whatever it starts.
const context = JSON.parse(env.MCP_CONFORMANCE_CONTEXT ?? '{}');
await fetch(test, { method: 'POST', body: JSON.stringify({ address, context }) });
