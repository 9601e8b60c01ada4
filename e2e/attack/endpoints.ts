import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { say } from '../provider-script.ts';
import { findLastAnswer, takeTurn } from './chat-turn.ts';
import { type Operation, readContract } from './contract.ts';
import { type CallerName, callerNames, type Field } from './field.ts';
import { hostileRequest } from './hostile-request.ts';
import type { KnownNames } from './hostile-value.ts';
import { inParallel } from './in-parallel.ts';

/** Fuzzes every endpoint of the contract, as each kind of caller. */
export async function attackEndpoints(field: Field): Promise<void> {
  field.provider.plays(say('Yes.'));
  const operations = await readContract(field);
  const known = await createVictims(field);
  const { seed, inputs } = field.options;
  await inParallel(6, inputs, async (each) => {
    const operation = operations[each % operations.length];
    const as = callerNames[Math.floor(each / operations.length) % callerNames.length];
    if (operation && as && !field.isOver) {
      await sendOne(field, operation, { as, each, seed, names: namesFor(operation, known) });
    }
  });
  const { status } = await field.ask({ method: 'GET', path: '/api/ready' });
  field.check(status === 200, `Afterwards /api/ready answers ${status}.`);
}

interface Input {
  as: CallerName;
  each: number;
  seed: number;
  names: KnownNames;
}

async function sendOne(field: Field, operation: Operation, input: Input): Promise<void> {
  const { as, each, seed, names } = input;
  const [request] = fc.sample(hostileRequest(operation, names), { seed: seed + each, numRuns: 1 });
  if (!request) {
    return;
  }
  await field.ask(request, {
    // Signing out would end the session of later requests.
    as: operation.id === 'auth.logout' ? 'anonymous' : as,
    // The server does not read oversized bodies to their end.
    mayBreak: (request.body?.length ?? 0) > 1_000_000,
    timeoutMs: 15_000,
    replay: `(${operation.id}, input ${each} of seed ${seed})`,
  });
}

/** Existing resources that requests can refer to. */
interface Victims {
  conversation: string;
  /** An answer in it. */
  answer: string;
  user: string;
}

async function createVictims(field: Field): Promise<Victims> {
  const conversation = await takeTurn(field, { as: 'user', message: 'Begin.' });
  const victim = { username: 'victim', name: 'V', groups: [], password: 'six slow green lamps' };
  const created = await field.askJson('POST', '/api/admin/users', victim, { as: 'admin' });
  const { user } = JSON.parse(created.body.toString()) as { user: { id: string } };
  return { conversation, answer: await findLastAnswer(field, conversation), user: user.id };
}

/** Writes target resources that nothing else needs; reads go everywhere. */
function namesFor(
  { method, path }: Operation,
  { conversation, answer, user }: Victims,
): KnownNames {
  const isWrite = method !== 'GET';
  const skills = isWrite ? ['victim', 'new-victim'] : ['meeting-notes', 'attack-often', 'victim'];
  const item = isWrite ? ['victim'] : ['victim', 'chat', 'users', 'scripted'];
  const id = path.includes('/users')
    ? [user]
    : path.startsWith('/api/admin')
      ? item
      : [path.startsWith('/api/messages') ? answer : conversation];
  return {
    id,
    name: skills,
    appId: ['chat'],
    app: ['chat'],
    conversationId: [randomUUID(), conversation],
    path: ['SKILL.md', 'references/format.md', '../../config/platform.json', 'new.md'],
    revision: ['1', '2'],
    skills: ['attack-once', 'attack-special'],
    model: ['scripted'],
    models: ['scripted'],
    groups: ['users', 'victim'],
    apps: ['chat', 'victim'],
    user: [user],
    username: ['victim', 'admin'],
    from: ['SKILL.md', 'new.md'],
    to: ['SKILL.md', 'other/new.md'],
    page: ['1', '2'],
    cursor: ['abc', 'eyJ9', '0'],
    only: ['apps', 'skills/victim', 'data'],
    code: ['name-differs', 'no-description'],
  };
}
