import { expect, test } from 'vitest';
import { cpuTime } from '../../testing/cpu-time.ts';
import { fillArguments } from './fill-arguments.ts';

test.each([
  ['all arguments', 'Review $ARGUMENTS now.', ' the  plan ', 'Review the  plan now.'],
  ['words by number', '$2 before $1', 'one two', 'two before one'],
  ['quotes group', '[$1] [$2] [$3]', `"a b" 'c d' e`, '[a b] [c d] [e]'],
  ['quotes of phones group', '[$1] [$2] [$3]', '“a b” ‘c d’ e', '[a b] [c d] [e]'],
  ['German quotes group', '[$1] [$2] [$3]', '„a b“ ‚c d‘ »e f«', '[a b] [c d] [e f]'],
  ['French and Japanese quotes group', '[$1] [$2] [$3]', '«a b» 「c d」 e', '[a b] [c d] [e]'],
  ['a typed apostrophe is no quote', '[$1] [$2]', 'don’t ’tis', '[don’t] [’tis]'],
  ['an apostrophe is no quote', '[$1] [$2]', "don't 'tis", "[don't] ['tis]"],
  ['an open quote is a letter', '[$1] [$2]', '"a b', '["a] [b]'],
  ['no such word', '$1 and $2', 'one', 'one and $2'],
  ['nothing written', '$ARGUMENTS and $1', '  ', '$ARGUMENTS and $1'],
  ['an empty word', '[$1] [$2]', '"" b', '[$1] [b]'],
  ['ten and more', '$10 $1st $0', 'x', '$10 $1st $0'],
  ['sums of money', '$1.50 and $5,000, or $1.', 'x', '$1.50 and $5,000, or x.'],
  ['another name', '$ARGUMENTS_LIST ${1} $arguments', 'x', '$ARGUMENTS_LIST ${1} $arguments'],
  ['never twice', '$1 $ARGUMENTS', '$2 $ARGUMENTS', '$2 $2 $ARGUMENTS'],
  ['patterns of replace', '<$1>', '$& $`', '<$&>'],
  ['cells', '=D2*$H$1 + $A$2 + B$1 + $$1', 'x', '=D2*$H$1 + $A$2 + B$1 + $$1'],
  ['one after the other', '$1$2 a-$1', 'x y', 'xy a-x'],
  ['no command', '!`echo $1` and !`date`', 'x', '!`echo x` and !`date`'],
])('%s: %s with %s', (_what, body, written, filled) => {
  expect(fillArguments(body, written)).toBe(filled);
});

test('does not fill a body that would become too large', () => {
  const longest = 'x'.repeat(100_000);
  expect(fillArguments('$ARGUMENTS $ARGUMENTS', longest)).toHaveLength(200_001);
  expect(fillArguments('$ARGUMENTS $ARGUMENTS $1', longest)).toBeUndefined();
  expect(fillArguments('$9 '.repeat(250_001), 'x')).toBeUndefined();
});

test.each(['$1', '$9 ', '$ARGUMENTS', '$', '$$1', 'A$1 '])(
  'handles 4 MB of %j in linear time',
  (unit) => {
    const body = unit.repeat(4_000_000 / unit.length);
    const took = cpuTime(() => {
      fillArguments(body, '\'a "b '.repeat(15_000));
      fillArguments(body, '"'.repeat(100_000));
      fillArguments(body, '“ « „ 「'.repeat(15_000));
      fillArguments(body, ' '.repeat(100_000));
    });
    expect(took).toBeLessThan(2000);
  },
);
