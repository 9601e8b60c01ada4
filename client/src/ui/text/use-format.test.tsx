import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { useFormat } from './use-format.ts';

type Formats = ReturnType<typeof useFormat>;

function formatted(format: (formats: Formats) => string): string | null {
  function Formatted() {
    return <p data-testid="text">{format(useFormat())}</p>;
  }
  renderApp(<Formatted />);
  return screen.getByTestId('text').textContent;
}

describe('useFormat', () => {
  it.each([
    [1, '1 byte'],
    [999, '999 bytes'],
    [3421, '3.4 kB'],
    [34_210, '34 kB'],
    [5_000_000, '5 MB'],
  ])('formats %d bytes as %s', (size, text) => {
    expect(formatted(({ bytes }) => bytes(size))).toBe(text);
  });

  describe('of a date', () => {
    beforeEach(() => {
      vi.useFakeTimers({ now: new Date('2026-03-15T12:00:00Z'), toFake: ['Date'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it.each([
      ['2026-03-15T11:59:30Z', 'now'],
      ['2026-03-15T11:30:00Z', '30 minutes ago'],
      ['2026-03-14T12:00:00Z', 'yesterday'],
      ['2026-03-01T12:00:00Z', '14 days ago'],
      ['2025-12-24T12:00:00Z', 'Dec 24, 2025'],
    ])('formats %s as relative time: %s', (iso, text) => {
      expect(formatted(({ relativeDate }) => relativeDate(iso))).toBe(text);
    });
  });
});
