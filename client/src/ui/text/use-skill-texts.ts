import type { Diagnostic, SkillMessageText } from '@knowhow/shared/skills/skills';
import { useTranslation } from 'react-i18next';

/** Localizes the server's messages about skills, with the original as the fallback. */
export function useSkillTexts() {
  const { t, i18n } = useTranslation();

  function translate(key: string, values: SkillMessageText['values'], english: string): string {
    const path = `skillTexts.${key}`;
    if (!i18n.exists(path)) {
      return english;
    }
    // Keys come from the server, which may be newer than this page.
    return t(path as 'skillTexts.messages.unreadable', { replace: values ?? {} });
  }

  return {
    /** @param code the translation key if the server sends none */
    say({ message, text, values }: SkillMessageText, code = ''): string {
      return translate(`messages.${text ?? code}`, values, message);
    },
    /** A diagnostic with its file and fix. */
    describe({ file, ...diagnostic }: Diagnostic): { message: string; fix: string | undefined } {
      const { code, message, text = code, fix, fixText = code, values } = diagnostic;
      const said = translate(`messages.${text}`, values, '');
      return {
        message: said === '' ? message : file === undefined ? said : `${file}: ${said}`,
        fix: fix === undefined ? undefined : translate(`fixes.${fixText}`, values, fix),
      };
    },
  };
}
