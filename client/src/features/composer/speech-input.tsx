import { Suspense, use } from 'react';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { SpeechContext } from '../../ui/text/speech-context.ts';
import type { DictateButtonProps } from './speech/dictate-button.tsx';

/** Falls back to typing if the chunk fails to load. */
const DictateButton = lazyPart(
  async () => (await import('./speech/dictate-button.tsx')).DictateButton,
  () => null,
);

/** The dictation button, if the installation allows it. */
export function SpeechInput(props: DictateButtonProps) {
  return (
    use(SpeechContext).includes('input') && (
      <Suspense>
        <DictateButton {...props} />
      </Suspense>
    )
  );
}
