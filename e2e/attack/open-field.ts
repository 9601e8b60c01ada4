import { heldMemoryArgs } from '../bench/held-memory.ts';
import { startHelper } from '../bench/stand.ts';
import { say } from '../provider-script.ts';
import { ScriptedProvider } from '../scripted-provider.ts';
import { addScriptedModel, startKnowhow, switchRateLimitsOff } from '../start-knowhow.ts';
import { addAttackSkills } from './attack-skills.ts';
import { takeTurn } from './chat-turn.ts';
import { Field, type FieldOptions } from './field.ts';
import type { ServerSetup } from './run-attack.ts';

/** Starts a server to attack, with its model, and signs in all callers. */
export async function openField(
  options: FieldOptions,
  alone: ServerSetup = 'without-limits',
): Promise<Field> {
  const provider = await ScriptedProvider.start();
  const runner =
    alone === 'with-runner' ? await startHelper('../attack/hostile-peer.js', 'http') : undefined;
  const knowhow = await startKnowhow({
    prepare: async (contentsDir) => {
      await addScriptedModel(contentsDir, provider.url);
      await addAttackSkills(contentsDir);
      if (alone !== 'with-limits') {
        await switchRateLimitsOff(contentsDir);
      }
    },
    nodeArgs: heldMemoryArgs,
    ...(runner && { environment: runnerEnvironment(new URL(runner.url).origin) }),
  });
  const field = new Field(knowhow, provider, options);
  field.runner = runner;
  try {
    await warmUp(field);
    return field;
  } catch (error) {
    await closeField(field);
    throw error;
  }
}

function runnerEnvironment(peer: string): Record<string, string> {
  return {
    SCRIPT_RUNNER: 'remote',
    SCRIPT_RUNNER_URL: `${peer}/runner`,
    SCRIPT_RUNNER_TOKEN: 'a token for a hostile runner',
  };
}

export async function closeField({ knowhow, provider, runner }: Field): Promise<void> {
  await knowhow.dispose();
  provider.stop();
  runner?.child.kill();
}

/** Warms up, so that lazy loading counts for no attack. */
async function warmUp(field: Field): Promise<void> {
  await field.signInAll();
  field.provider.plays(say('Yes.'));
  await takeTurn(field, { as: 'user', message: 'Warm up.', skills: ['attack-once'] });
  await field.ask({ method: 'GET', path: '/api/admin/skills/attack-once' }, { as: 'admin' });
  await field.ask({ method: 'GET', path: '/api/admin/analytics/skills' }, { as: 'admin' });
  if (field.failures.length > 0) {
    throw new Error(`The server fails before it is attacked: ${field.failures[0]}`);
  }
  field.closeConnections();
}
