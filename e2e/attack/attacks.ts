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
import { attackByLeaving } from './left-downloads.ts';
import { attackWithMessages } from './messages.ts';
import { attackWithAnswers } from './model-answers.ts';
import { attackWithPipelines } from './pipelines.ts';
import { attackWithRaces } from './races.ts';
import type { Attack } from './run-attack.ts';
import { attackWithSearches } from './searches.ts';
import { attackSignIns } from './sign-in-flood.ts';
import { attackByNotReading } from './silent-readers.ts';
import { attackWithSkills } from './skill-bodies.ts';
import { attackWithHalves } from './slow-requests.ts';
import { attackWithUploads } from './uploads.ts';
import { attackVanishingFiles } from './vanishing-files.ts';

const seconds = 1000;

/** Each with its duration: long form, short form. */
export const attacks: Attack[] = [
  { name: 'messages', lasts: [30 * seconds, 3 * seconds], run: attackWithMessages },
  { name: 'skills', lasts: [30 * seconds, 3 * seconds], run: attackWithSkills },
  { name: 'answers', lasts: [30 * seconds, 4 * seconds], run: attackWithAnswers },
  { name: 'searches', lasts: [30 * seconds, 3 * seconds], run: attackWithSearches },
  { name: 'uploads', lasts: [30 * seconds, 5 * seconds], run: attackWithUploads },
  { name: 'files', lasts: [20 * seconds, 3 * seconds], run: attackVanishingFiles },
  { name: 'downloads', lasts: [15 * seconds, 2 * seconds], run: attackByLeaving },
  { name: 'readers', lasts: [20 * seconds, 2 * seconds], run: attackByNotReading },
  { name: 'halves', lasts: [30 * seconds, 4 * seconds], run: attackWithHalves },
  { name: 'pipelines', lasts: [15 * seconds, 2 * seconds], run: attackWithPipelines },
  { name: 'boundary', lasts: [30 * seconds, 4 * seconds], run: attackBoundary },
  { name: 'races', lasts: [30 * seconds, 3 * seconds], run: attackWithRaces },
  { name: 'floods', lasts: [15 * seconds, 2 * seconds], run: attackWithFloods },
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
    lasts: [90 * seconds, 5 * seconds],
    maxGrowthMb: 400,
    run: attackWithDocuments,
  },
  {
    name: 'runner',
    lasts: [60 * seconds, 4 * seconds],
    maxGrowthMb: 400,
    alone: 'with-runner',
    run: attackFromRunner,
  },
  {
    name: 'endpoints',
    lasts: [120 * seconds, 15 * seconds],
    alone: 'without-limits',
    run: attackEndpoints,
  },
  {
    name: 'sign-ins',
    lasts: [20 * seconds, 4 * seconds],
    alone: 'with-limits',
    run: attackSignIns,
  },
];

/** Attacks by responses of a peer, which must not use much memory even briefly. */
function peerAttacks(runs: Record<string, Attack['run']>): Attack[] {
  return Object.entries(runs).map(([name, run]) => ({
    ...{ name, run, maxGrowthMb: 400 },
    lasts: [60 * seconds, 4 * seconds],
  }));
}
