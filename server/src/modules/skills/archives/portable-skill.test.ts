import { expect, test } from 'vitest';
import { portableSkill } from './portable-skill.ts';

test.each(['constructor', '__proto__', 'toString', 'nothing'])(
  'exports a text named .%s as plain text',
  (ending) => {
    const files = [{ path: `a.${ending}`, bytes: Buffer.from('A'), executable: false }];
    expect(portableSkill('a', files).skill.files).toMatchObject([{ contentType: 'text/plain' }]);
  },
);
