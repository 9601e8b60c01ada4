import { expect, test } from 'vitest';
import { portableSkill } from './portable-skill.ts';

test.each(['constructor', '__proto__', 'toString', 'nothing'])(
  'a text whose name ends with .%s is plain text',
  (ending) => {
    const files = [{ path: `a.${ending}`, bytes: Buffer.from('A'), executable: false }];
    expect(portableSkill('a', files).skill.files).toMatchObject([{ contentType: 'text/plain' }]);
  },
);
