import { onTestFinished } from 'vitest';
import { type ScriptedResponse, startScriptedHttp } from './scripted-http.ts';

/** Overrides the engine's default response. */
export type EngineRule = (call: {
  /** Method and path, such as `POST /containers/create`, with `{}` for a container's name. */
  call: string;
  path: string;
  /** Marker before the script's outcome. */
  mark: string;
}) => ScriptedResponse | undefined;

const all = 'sh: 5.2\npython: Python 3.12.1\nnode: v22.1.0\n';

/** A frame of container output: stream number, length, bytes. */
export function frame(text: string, stream = 1): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}

/**
 * A fake Docker API on loopback that runs nothing: probes find all interpreters, other scripts
 * print `done`.
 */
export async function startScriptedEngine(rule: EngineRule = () => undefined) {
  let answerBy = rule;
  const created = new Map<string, { Cmd: string[]; Entrypoint: string[]; Image: string }>();
  const server = await startScriptedHttp(({ method, path, raw }) => {
    const [, id = ''] = /^\/containers\/(knowhow-[\da-f-]{36}(?:-volumes)?)/.exec(path) ?? [];
    const call = `${method} ${path.replace(/\?.*/, '').replace(id || '\0', '{}')}`;
    if (call === 'POST /containers/create') {
      created.set(new URL(path, 'http://engine').searchParams.get('name') ?? '', JSON.parse(raw));
    }
    const mark = created.get(id)?.Entrypoint[4] ?? '';
    return answerBy({ call, path, mark }) ?? defaultResponse(call, mark, isTrial(id));
  });
  const isTrial = (id: string) => created.get(id)?.Cmd.includes('/skill/trial.sh') === true;
  onTestFinished(server.close);
  const calls = () => server.requests.map(({ method, path }) => `${method} ${path}`);
  return {
    port: Number(new URL(server.origin).port),
    calls,
    /** Overrides responses from now on. */
    answerBy: (next: EngineRule) => {
      answerBy = next;
    },
    /** Requested container specs, without those for volumes. */
    specs: () =>
      [...created].filter(([name]) => !name.endsWith('-volumes')).map(([, spec]) => spec),
    /** Containers that were created but not removed. */
    left: () => [...created.keys()].filter((id) => !calls().some((call) => isRemoval(call, id))),
  };
}

function isRemoval(call: string, id: string): boolean {
  return call.startsWith(`DELETE /containers/${id}?`);
}

function defaultResponse(call: string, mark: string, isTrial: boolean): ScriptedResponse {
  const archive = '\0'.repeat(1024);
  const answers: Record<string, ScriptedResponse> = {
    'GET /info': { chunks: ['{"MemoryLimit":true,"PidsLimit":true}'] },
    'GET /containers/json': { chunks: ['[]'] },
    'POST /containers/{}/attach': {
      chunks: [frame(`${isTrial ? all : 'done\n'}\n${mark} 0\n${archive}`)],
    },
    'POST /containers/{}/wait': { chunks: ['{"StatusCode":0}'] },
    'GET /containers/{}/json': { chunks: ['{"State":{"ExitCode":0,"OOMKilled":false}}'] },
  };
  return answers[call] ?? { chunks: ['{"Id":"sha256:1"}'] };
}
