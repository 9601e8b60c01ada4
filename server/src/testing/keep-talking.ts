import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { conversationSchema } from '@knowhow/shared/chat/conversations';
import { expect } from 'vitest';
import { parseAnswer } from './parse-answer.ts';
import type { Visitor } from './start-test-server.ts';
import { waitFor } from './wait-for.ts';

/** A conversation that keeps sending messages, whatever happens to the answers. */
export interface Talk {
  /** Resolves once the last message is done. */
  ended: Promise<void>;
  /** Statuses of rejected requests, with `Retry-After`. */
  refused: string[];
  /**
   * Throws if a message is missing or partial, or a turn still runs. Returns the final status of
   * each answer.
   */
  check(): Promise<string[]>;
}

interface Said {
  message: string;
  /** The first event arrived: the message is stored. */
  started: boolean;
  /** The last event arrived: so is the answer. */
  done: boolean;
}

const pauseMs = 100;

/** @param words of a complete answer, as sent by `crashing-server` */
export function keepTalking(admin: Visitor, words: number, isOver: () => boolean): Talk {
  const id = randomUUID();
  const said: Said[] = [];
  const refused: string[] = [];
  const say = async () => {
    const one: Said = { message: `Say ${randomUUID()}`, started: false, done: false };
    said.push(one);
    const response = await admin(`/api/apps/chat/chat/${id}`, { json: { message: one.message } });
    if (!response.ok) {
      refused.push(`${response.status} ${response.headers.get('retry-after')}`);
      await response.text();
      await wait(pauseMs);
      return;
    }
    let tail = '';
    for await (const chunk of response.body ?? []) {
      one.started = true;
      tail = (tail + Buffer.from(chunk).toString()).slice(-200);
    }
    one.done = /event: done\ndata: .*"stop"/.test(tail);
  };
  const run = async () => {
    while (!isOver()) {
      // `fetch` throws this if the connection is refused or lost.
      await say().catch((error: unknown) => {
        expect(error).toBeInstanceOf(TypeError);
        return wait(pauseMs);
      });
    }
  };
  const read = async () => {
    const response = await admin(`/api/conversations/${id}`);
    const isNew = response.status === 404 && !said.some(({ started }) => started);
    return isNew ? [] : (await parseAnswer(conversationSchema, response)).messages;
  };
  const hasEnded = async () =>
    (await read()).every((each) => each.role === 'user' || each.status !== 'running');
  const check = async () => {
    await waitFor(hasEnded);
    const messages = await read();
    const whole = Array.from({ length: words }, (_, word) => `${word} `).join('');
    return said.flatMap(({ message, started, done }) => {
      const at = messages.flatMap(({ content }, index) => (content === message ? [index] : []));
      expect(at.length).toBeLessThanOrEqual(1);
      const answer = messages[(at[0] ?? messages.length) + 1];
      expect(!started || answer?.role === 'assistant', `${message} is lost`).toBe(true);
      if (answer?.role !== 'assistant') {
        return [];
      }
      const { status, content } = answer;
      expect(whole.startsWith(content)).toBe(true);
      expect(['complete', 'interrupted', 'failed']).toContain(status);
      expect(done || status === 'complete' ? [status, content] : []).toEqual(
        done || status === 'complete' ? ['complete', whole] : [],
      );
      return [status];
    });
  };
  return { ended: run(), refused, check };
}
