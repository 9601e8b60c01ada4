import { type ScriptKind, scriptKinds } from '../runner.ts';

/** Address of an engine that implements Docker's API. */
export type EngineAddress = { socketPath: string } | { host: string; port: number };

/** The image for each kind of script; kinds without an image are not supported. */
export type ScriptImages = Readonly<Partial<Record<ScriptKind, string>>>;

export const defaultEngine = 'unix:///var/run/docker.sock';
export const defaultImages = 'python=python:3.13-slim,sh=debian:stable-slim,node=node:22-slim';

/** `unix:///path` or `tcp://host:port`; undefined if invalid. */
export function parseEngineAddress(text: string): EngineAddress | undefined {
  const socketPath = /^unix:\/\/(\/[^\0]+)$/.exec(text)?.[1];
  if (socketPath) {
    return { socketPath };
  }
  const [, host, port] = /^tcp:\/\/([\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(text) ?? [];
  return host && isPort(Number(port))
    ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
    : undefined;
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

const imageName = /^[a-z\d][\w.-]*(?::\d+)?(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[\da-f]{64})?$/i;

/** One image for all kinds, or `python=…,sh=…,node=…`; undefined if invalid. */
export function parseImages(text: string): ScriptImages | undefined {
  if (imageName.test(text)) {
    return Object.fromEntries(scriptKinds.map((kind) => [kind, text]));
  }
  const pairs = text.split(',').map((part) => part.trim().split('='));
  const isValid = pairs.every(
    ([kind, image, ...rest]) =>
      scriptKinds.includes(kind as ScriptKind) && imageName.test(image ?? '') && rest.length === 0,
  );
  return isValid ? Object.fromEntries(pairs) : undefined;
}
