import type { Processor } from 'unified';

/** A longer one is none: looking for its end must not take a text's length squared. */
const longestFormula = 1_000;

/** What micromark goes to with the next character; null is the end. */
type State = (code: number | null) => State | undefined;

const backslash = 92;
/** What ends a formula, by what begins it: `\(…\)` and `\[…\]`. */
const ends = new Map([
  [40, 41],
  [91, 93],
]);

/**
 * A plugin of remark: a formula in TeX's own marks stays as it was written. In Markdown a backslash
 * before a bracket only says that the bracket is one, and would be gone.
 */
export function keepFormulas(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push({
    text: {
      [backslash]: {
        name: 'formula',
        tokenize(effects, ok, nok) {
          let end: number | undefined;
          let left = longestFormula;
          return (code) => {
            effects.enter('data');
            effects.consume(code);
            return open;
          };

          function open(code: number | null): State | undefined {
            end = ends.get(code ?? 0);
            if (end === undefined) {
              return nok(code);
            }
            effects.consume(code);
            return inside;
          }

          function inside(code: number | null): State | undefined {
            left -= 1;
            if (code === null || left < 0) {
              return nok(code);
            }
            if (isLineEnding(code)) {
              effects.exit('data');
              return lineEnding(code);
            }
            effects.consume(code);
            return code === backslash ? escaped : inside;
          }

          function lineEnding(code: number | null): State | undefined {
            if (code === null || !isLineEnding(code)) {
              effects.enter('data');
              return inside(code);
            }
            effects.enter('lineEnding');
            effects.consume(code);
            effects.exit('lineEnding');
            return lineEnding;
          }

          function escaped(code: number | null): State | undefined {
            if (code !== end && code !== backslash) {
              return inside(code);
            }
            effects.consume(code);
            if (code === backslash) {
              return inside;
            }
            effects.exit('data');
            return ok;
          }
        },
      },
    },
  });
}

/** micromark has a code of its own for each kind. */
function isLineEnding(code: number): boolean {
  return code < -2;
}
