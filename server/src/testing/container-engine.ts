import { randomUUID } from 'node:crypto';
import { callEngine } from '../runner/container/call-engine.ts';
import { createContainerRunner } from '../runner/container/container-runner.ts';
import {
  defaultImages,
  parseEngineAddress,
  parseImages,
} from '../runner/container/container-settings.ts';
import { labels } from '../runner/container/container-spec.ts';

const { KNOWHOW_TEST_ENGINE, KNOWHOW_TEST_IMAGES, DOCKER_HOST } = process.env;
const host = KNOWHOW_TEST_ENGINE ?? DOCKER_HOST;

/** Where an engine is that tests may make containers with, and the images they may use. */
export const engine = host === undefined ? undefined : parseEngineAddress(host);
export const images = parseImages(KNOWHOW_TEST_IMAGES ?? defaultImages) ?? {};

const owner = randomUUID();
const found = engine && createContainerRunner({ engine, images, owner });
await found?.look();
if (found?.status !== 'ready') {
  process.stderr.write(
    `NOT TESTED: there is no container engine for tests (KNOWHOW_TEST_ENGINE, KNOWHOW_TEST_IMAGES), so that nothing shows that containers keep scripts in. ${found?.problems().join(' ') ?? ''}\n`,
  );
}

/** What runs scripts in containers of that engine, if there is one. */
export const containers = found?.status === 'ready' ? found : undefined;

/** Whether the engine takes our filter of system calls: Podman has its own. */
export const filters = !/Podman/i.test(JSON.stringify(containers && (await ask('/version'))));

async function ask(path: string): Promise<unknown> {
  const signal = AbortSignal.timeout(10_000);
  return engine && callEngine(engine, { method: 'GET', path, signal });
}

/** States of the containers that were made for an owner: what runs scripts here, unless another is named. */
export async function containersOf(whose: string = owner): Promise<string[]> {
  const filters = JSON.stringify({ label: [`${labels.owner}=${whose}`] });
  const all = await ask(`/containers/json?all=true&filters=${encodeURIComponent(filters)}`);
  return (all as { State: string }[]).map(({ State }) => State);
}

/** Names of volumes that no container has any more. */
export async function volumesLeft(): Promise<string[]> {
  const all = await ask(`/volumes?filters=${encodeURIComponent('{"dangling":["true"]}')}`);
  return (all as { Volumes: { Name: string }[] }).Volumes.map(({ Name }) => Name);
}
