import { describe, expect, it } from 'vitest';
import { collectToolCalls } from './collect-tool-calls.ts';

/** Deltas as servers send them, not as the protocol says. */
function collected(...deltas: object[]) {
  const collector = collectToolCalls();
  deltas.forEach((delta) => {
    collector.add(delta);
  });
  return collector.calls().map(({ call }) => call);
}

describe('the calls of a stream', () => {
  it('stay apart when their pieces come in turns', () => {
    expect(
      collected(
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
        { index: 1, id: 'b', function: { name: 'two', arguments: '{"y"' } },
        { index: 0, function: { arguments: ':1}' } },
        { index: 1, function: { arguments: ':2}' } },
      ),
    ).toEqual([
      { id: 'a', name: 'one', input: { x: 1 } },
      { id: 'b', name: 'two', input: { y: 2 } },
    ]);
  });

  it('stay apart when a server gives them all one index, or none', () => {
    for (const index of [0, undefined]) {
      expect(
        collected(
          { index, id: 'a', function: { name: 'one', arguments: '{}' } },
          { index, id: 'b', function: { name: 'two', arguments: '{"y":' } },
          { index, id: 'b', function: { arguments: '2}' } },
        ),
      ).toEqual([
        { id: 'a', name: 'one', input: {} },
        { id: 'b', name: 'two', input: { y: 2 } },
      ]);
    }
  });

  it('get an id when the server gave none', () => {
    const [one, two] = collected(
      { index: 0, function: { name: 'one', arguments: '{}' } },
      { index: 1, function: { name: 'two', arguments: '{}' } },
    );
    expect(one?.id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(two?.id).not.toBe(one?.id);
  });

  it('hold what the model wrote when that is no JSON, and nothing when it wrote nothing', () => {
    expect(
      collected(
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x": ' } },
        { index: 1, id: 'b', function: { name: 'two' } },
        { index: 2, id: 'c', function: { name: 'three', arguments: { z: 3 } } },
      ).map(({ input }) => input),
    ).toEqual(['{"x": ', {}, { z: 3 }]);
  });
});
