// npm run dev: runs the server on port 3000, restarts it on each change, and serves the client with Vite.
import { spawn } from 'node:child_process';
import { bin, buildStale, installMissing, root } from './prepare.mjs';

installMissing();
buildStale();
const programs = [
  [bin('vite', 'vite'), 'build', 'server', '--watch', '--logLevel', 'warn'],
  ['--watch', 'server/dist/main.js'],
  [bin('vite', 'vite'), 'client'],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));

for (const program of programs) {
  program.on('exit', (code) => {
    for (const other of programs) {
      other.kill();
    }
    process.exitCode = code ?? 1;
  });
}
