import { randomUUID } from 'node:crypto';
import { callEngine } from '../modules/tools/runner/container/call-engine.ts';
import { createContainerRunner } from '../modules/tools/runner/container/container-runner.ts';
import {
  defaultImages,
  parseEngineAddress,
  parseImages,
} from '../modules/tools/runner/container/container-settings.ts';
import { labels } from '../modules/tools/runner/container/container-spec.ts';

const { KNOWHOW_TEST_ENGINE, KNOWHOW_TEST_IMAGES, DOCKER_HOST } = process.env;
const host = KNOWHOW_TEST_ENGINE ?? DOCKER_HOST;

/** The container engine and images for tests, if configured. */
export const engine = host === undefined ? undefined : parseEngineAddress(host);
export const images = parseImages(KNOWHOW_TEST_IMAGES ?? defaultImages) ?? {};

const owner = randomUUID();
const found = engine && createContainerRunner({ engine, images, owner });
await found?.look();
if (found?.status !== 'ready') {
  process.stderr.write(
    `NOT TESTED: no container engine available (KNOWHOW_TEST_ENGINE, KNOWHOW_TEST_IMAGES), so isolation in containers is untested. ${found?.problems().join(' ') ?? ''}\n`,
  );
}

/** A container runner on that engine, if available. */
export const containers = found?.status === 'ready' ? found : undefined;

/** Whether the engine accepts our seccomp filter; Podman uses its own. */
export const filters = !/Podman/i.test(JSON.stringify(containers && (await ask('/version'))));

async function ask(path: string): Promise<unknown> {
  const signal = AbortSignal.timeout(10_000);
  return engine && callEngine(engine, { method: 'GET', path, signal });
}

/** States of an owner's containers, by default of this runner. */
export async function listContainerStates(ownerLabel: string = owner): Promise<string[]> {
  const filters = JSON.stringify({ label: [`${labels.owner}=${ownerLabel}`] });
  const all = await ask(`/containers/json?all=true&filters=${encodeURIComponent(filters)}`);
  return (all as { State: string }[]).map(({ State }) => State);
}

/** Names of dangling volumes. */
export async function volumesLeft(): Promise<string[]> {
  const all = await ask(`/volumes?filters=${encodeURIComponent('{"dangling":["true"]}')}`);
  return (all as { Volumes: { Name: string }[] }).Volumes.map(({ Name }) => Name);
}
