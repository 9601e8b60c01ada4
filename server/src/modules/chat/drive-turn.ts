import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { Problem } from '@knowhow/shared/problem';
import type { Log } from '../../platform/lib/log.ts';
import { watchAccess } from '../../platform/lib/watch-access.ts';
import type { TurnStore } from '../conversations/index.ts';
import type { TurnSink } from './events/turn-sink.ts';
import { openJournal } from './journal.ts';
import type { TurnObserver } from './observe-turn.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { runTurn } from './run-turn.ts';
import type { RunningTurn } from './running-turns.ts';
import { type TurnLimits, watchLimits } from './turn-limits.ts';

interface DriveOptions<Sink> {
  conversations: TurnStore;
  observers: readonly TurnObserver[];
  turnLimits: () => TurnLimits;
  /** Log whose entries identify the turn. */
  logFor: (prepared: PreparedTurn) => Log;
  openSink: (prepared: PreparedTurn) => Sink;
  /** Called once the turn is stored, before it runs. */
  onStarted?: (sink: Sink) => void;
}

interface DrivenTurn<Sink> {
  prepared: PreparedTurn;
  sink: Sink;
  /** Resolves after the end. Never rejects. */
  ended: Promise<void>;
}

/**
 * Prepares a turn, stores its start and runs it in the background, with the caller's rights, until it is done, stopped
 * or at a limit. Releases the conversation at the end, or before it throws. Throws only what `prepare` throws, and if
 * the start cannot be stored.
 */
export async function driveTurn<Sink extends TurnSink>(
  running: RunningTurn,
  prepare: () => Promise<PreparedTurn>,
  options: DriveOptions<Sink>,
): Promise<DrivenTurn<Sink>> {
  try {
    const prepared = await prepare();
    return await start(running, prepared, options);
  } catch (error) {
    await running.end();
    throw error;
  }
}

async function start<Sink extends TurnSink>(
  running: RunningTurn,
  prepared: PreparedTurn,
  { conversations, observers, turnLimits, logFor, openSink, onStarted }: DriveOptions<Sink>,
): Promise<DrivenTurn<Sink>> {
  const log = logFor(prepared);
  const sink = openSink(prepared);
  const { signal } = running.abort;
  const abort = (why: Problem) => running.abort.abort(why);
  const endWatch = watchAccess(prepared.access, abort);
  const send = (event: ChatEvent) => sink.add(event);
  const journalTools = { conversations, observers, log, signal, send };
  const journal = await openJournal(prepared, journalTools).catch((error: unknown) => {
    endWatch();
    throw error;
  });
  onStarted?.(sink);
  const endLimits = watchLimits(sink, turnLimits, abort);
  const ended = runTurn(prepared, { journal, log })
    .catch((error: unknown) => log.error({ error }, 'a turn failed unexpectedly'))
    .then(async () => {
      endLimits();
      endWatch();
      await running.end();
      sink.end();
    });
  return { prepared, sink, ended };
}
