import { onTestFinished, vi } from 'vitest';

/** Lets what waits at least ten seconds for a signal of its own wait for a hundredth of that. */
export function shortenPatience(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const shortened = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => timeout(ms < 10_000 ? ms : ms / 100));
  onTestFinished(() => shortened.mockRestore());
}
