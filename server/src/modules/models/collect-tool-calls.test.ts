import { describe, expect, it } from 'vitest';
import { collectToolCalls } from './collect-tool-calls.ts';

/** Deltas as real servers send them, deviating from the protocol. */
function collect(...deltas: object[]) {
  const collector = collectToolCalls();
  deltas.forEach((delta) => {
    collector.add(delta);
  });
  return collector.calls().map(({ call }) => call);
}

describe('the tool calls of a stream', () => {
  it('are kept apart if their pieces alternate', () => {
    expect(
      collect(
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

  it('are kept apart if a server gives them all the same index, or none', () => {
    for (const index of [0, undefined]) {
      expect(
        collect(
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

  it('get an ID if the server sent none', () => {
    const [one, two] = collect(
      { index: 0, function: { name: 'one', arguments: '{}' } },
      { index: 1, function: { name: 'two', arguments: '{}' } },
    );
    expect(one?.id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(two?.id).not.toBe(one?.id);
  });

  it('keep arguments that are not valid JSON as text, and are empty if there are none', () => {
    expect(
      collect(
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x": ' } },
        { index: 1, id: 'b', function: { name: 'two' } },
        { index: 2, id: 'c', function: { name: 'three', arguments: { z: 3 } } },
      ).map(({ input }) => input),
    ).toEqual(['{"x": ', {}, { z: 3 }]);
  });
});
