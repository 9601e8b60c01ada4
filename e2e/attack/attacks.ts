import { attackWithAbortedDownloads } from './aborted-downloads.ts';
import { attackBoundary } from './boundary.ts';
import { attackWithDocuments } from './documents.ts';
import { attackEndpoints } from './endpoints.ts';
import { attackWithFloods } from './floods.ts';
import {
  attackFromEmbedders,
  attackFromMcpServers,
  attackFromModels,
  attackFromRunner,
  attackFromSignIns,
  attackFromStartedServers,
} from './hostile-peers.ts';
import { attackWithMessages } from './messages.ts';
import { attackWithAnswers } from './model-answers.ts';
import { attackWithPipelines } from './pipelines.ts';
import { attackWithRaces } from './races.ts';
import type { Attack } from './run-attack.ts';
import { attackWithSearches } from './searches.ts';
import { attackSignIns } from './sign-in-flood.ts';
import { attackWithSkills } from './skill-bodies.ts';
import { attackWithHalves } from './slow-requests.ts';
import { attackWithStalledReaders } from './stalled-readers.ts';
import { attackWithUploads } from './uploads.ts';
import { attackVanishingFiles } from './vanishing-files.ts';

const seconds = 1000;

/** Each with its duration: long form, short form. */
export const attacks: Attack[] = [
  { name: 'messages', durations: [30 * seconds, 3 * seconds], run: attackWithMessages },
  { name: 'skills', durations: [30 * seconds, 3 * seconds], run: attackWithSkills },
  { name: 'answers', durations: [30 * seconds, 4 * seconds], run: attackWithAnswers },
  { name: 'searches', durations: [30 * seconds, 3 * seconds], run: attackWithSearches },
  { name: 'uploads', durations: [30 * seconds, 5 * seconds], run: attackWithUploads },
  { name: 'files', durations: [20 * seconds, 3 * seconds], run: attackVanishingFiles },
  { name: 'downloads', durations: [15 * seconds, 2 * seconds], run: attackWithAbortedDownloads },
  { name: 'readers', durations: [20 * seconds, 2 * seconds], run: attackWithStalledReaders },
  { name: 'halves', durations: [30 * seconds, 4 * seconds], run: attackWithHalves },
  { name: 'pipelines', durations: [15 * seconds, 2 * seconds], run: attackWithPipelines },
  { name: 'boundary', durations: [30 * seconds, 4 * seconds], run: attackBoundary },
  { name: 'races', durations: [30 * seconds, 3 * seconds], run: attackWithRaces },
  { name: 'floods', durations: [15 * seconds, 2 * seconds], run: attackWithFloods },
  ...peerAttacks({
    'mcp-servers': attackFromMcpServers,
    'started-servers': attackFromStartedServers,
    'sign-in-providers': attackFromSignIns,
    models: attackFromModels,
    embedders: attackFromEmbedders,
  }),
  // Last: its load would slow down the sign-ins that run in parallel in the short form.
  {
    name: 'documents',
    durations: [90 * seconds, 5 * seconds],
    maxGrowthMb: 400,
    run: attackWithDocuments,
  },
  {
    name: 'runner',
    durations: [60 * seconds, 4 * seconds],
    maxGrowthMb: 400,
    setup: 'with-runner',
    run: attackFromRunner,
  },
  {
    name: 'endpoints',
    durations: [120 * seconds, 15 * seconds],
    setup: 'without-limits',
    run: attackEndpoints,
  },
  {
    name: 'sign-ins',
    durations: [20 * seconds, 4 * seconds],
    setup: 'with-limits',
    run: attackSignIns,
  },
];

/** Attacks by responses of a peer, which must not use much memory even briefly. */
function peerAttacks(runs: Record<string, Attack['run']>): Attack[] {
  return Object.entries(runs).map(([name, run]) => ({
    name,
    run,
    maxGrowthMb: 400,
    durations: [60 * seconds, 4 * seconds],
  }));
}
