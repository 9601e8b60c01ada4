import { onTestFinished, vi } from 'vitest';

/** Shortens abort timeouts of at least ten seconds to a hundredth. */
export function shortenTimeouts(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const shortened = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => timeout(ms < 10_000 ? ms : ms / 100));
  onTestFinished(() => shortened.mockRestore());
}
