import { AnswerSettings } from './answer-settings.tsx';
import { LimitSettings } from './limit-settings.tsx';
import { ReachSettings } from './reach-settings.tsx';
import { RecordSettings } from './record-settings.tsx';
import { SignInSettings } from './sign-in-settings.tsx';

/** Settings of the whole installation. */
export function PlatformFields() {
  return (
    <>
      <SignInSettings />
      <LimitSettings />
      <AnswerSettings />
      <RecordSettings />
      <ReachSettings />
    </>
  );
}
