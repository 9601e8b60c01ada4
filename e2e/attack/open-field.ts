import { heldMemoryArgs } from '../bench/held-memory.ts';
import { switchRateLimitsOff } from '../bench/stand.ts';
import { say } from '../provider-script.ts';
import { ScriptedProvider } from '../scripted-provider.ts';
import { addScriptedModel, startKnowhow } from '../start-knowhow.ts';
import { addAttackSkills } from './attack-skills.ts';
import { takeTurn } from './chat-turn.ts';
import { Field, type FieldOptions } from './field.ts';

/** Starts a server to be attacked, with its model, and everybody signed in. */
export async function openField(options: FieldOptions, hasRateLimits: boolean): Promise<Field> {
  const provider = await ScriptedProvider.start();
  const knowhow = await startKnowhow({
    prepare: async (contentsDir) => {
      await addScriptedModel(contentsDir, provider.url);
      await addAttackSkills(contentsDir);
      if (!hasRateLimits) {
        await switchRateLimitsOff(contentsDir);
      }
    },
    nodeArgs: heldMemoryArgs,
  });
  const field = new Field(knowhow, provider, options);
  try {
    await warmUp(field);
    return field;
  } catch (error) {
    await closeField(field);
    throw error;
  }
}

export async function closeField({ knowhow, provider }: Field): Promise<void> {
  await knowhow.dispose();
  provider.stop();
}

/** What is loaded at first use belongs to no attack. */
async function warmUp(field: Field): Promise<void> {
  await field.enter();
  field.provider.plays(say('Yes.'));
  await takeTurn(field, { as: 'user', message: 'Warm up.', skills: ['attack-once'] });
  await field.ask({ method: 'GET', path: '/api/admin/skills/attack-once' }, { as: 'admin' });
  await field.ask({ method: 'GET', path: '/api/admin/analytics/skills' }, { as: 'admin' });
  if (field.failures.length > 0) {
    throw new Error(`The server fails before it is attacked: ${field.failures[0]}`);
  }
  field.leave();
}
