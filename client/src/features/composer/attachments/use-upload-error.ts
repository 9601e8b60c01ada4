import { Problem } from '@knowhow/shared/problem';
import type { FileFault } from '@knowhow/shared/skills/file-faults';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../ui/text/use-error-text.ts';

/** Returns the text of an upload error. */
export function useUploadError(): (error: unknown) => string {
  const { t } = useTranslation();
  const textOf = useErrorText();
  return (error) => {
    const fault = error instanceof Problem ? error.issues?.[0]?.code : undefined;
    if (fault !== undefined && Object.hasOwn(faults, fault)) {
      return t(faults[fault as FileFault]);
    }
    const { title, detail } = textOf(error);
    return detail || title;
  };
}

const faults = {
  nothing: 'attachments.fault.nothing',
  'unknown-kind': 'attachments.fault.unknownKind',
  locked: 'attachments.fault.locked',
  broken: 'attachments.fault.broken',
  encrypted: 'attachments.fault.encrypted',
  empty: 'attachments.fault.empty',
  'too-large': 'attachments.fault.tooLarge',
  'too-slow': 'attachments.fault.tooSlow',
  'broken-picture': 'attachments.fault.brokenPicture',
  'large-picture': 'attachments.fault.largePicture',
  'wide-picture': 'attachments.fault.widePicture',
} as const satisfies Record<FileFault, string>;
