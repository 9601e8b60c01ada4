import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemPath } from './git-server.ts';
import { listenOn } from './listen-on.ts';
import { createSigner, type TestSigner } from './signed-commits.ts';
import { waitFor } from './wait-for.ts';
import { temporaryFolder } from './write-files.ts';

/** The path of a program of the system; undefined if it is not installed. */
export function systemProgram(name: string): string | undefined {
  const folders = [...systemPath.split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Whether signatures of ssh can be made and checked. */
export const hasSshKeygen = systemProgram('ssh-keygen') !== undefined;

if (!hasSshKeygen) {
  process.stderr.write('NOT TESTED: no ssh-keygen available, so signed commits are untested.\n');
}

const sshd = systemProgram('sshd');

/** Whether a server of ssh can be started. */
export const hasSshd = hasSshKeygen && sshd !== undefined && systemProgram('ssh') !== undefined;

if (!hasSshd) {
  process.stderr.write('NOT TESTED: no sshd available, so git over ssh is untested.\n');
}

/** An sshd on loopback that accepts one key of the user of this process. */
export interface SshServer {
  port: number;
  user: string;
  /** Path of the file with the server's host key. */
  knownHostsFile: string;
}

/** Starts sshd, which ends with the test. */
export async function startSshServer(authorized: TestSigner): Promise<SshServer> {
  const folder = await temporaryFolder();
  const host = await createSigner();
  const port = await findFreePort();
  const path = (name: string) => join(folder, name);
  await writeFile(path('authorized'), `${authorized.publicKey}\n`);
  await writeFile(path('known'), `[127.0.0.1]:${port} ${host.publicKey}\n`);
  const config = `ListenAddress 127.0.0.1:${port}
HostKey ${host.file}
AuthorizedKeysFile ${path('authorized')}
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
AcceptEnv GIT_PROTOCOL
`;
  await writeFile(path('config'), config);
  if (process.getuid?.() === 0) {
    // The folder in which it separates privileges, as its service creates it.
    await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  }
  const child = spawn(sshd ?? '', ['-D', '-e', '-f', path('config')], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  await waitFor(() => isListening(port));
  return { port, user: userInfo().username, knownHostsFile: path('known') };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
