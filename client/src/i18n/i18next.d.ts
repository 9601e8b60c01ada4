import type accountTexts from './account/en.json';
import type adminTexts from './admin/en.json';
import type skillTexts from './admin/skill-texts-de.json';
import type answerTexts from './answers/en.json';
import type attachmentTexts from './attachments/en.json';
import type conversationTexts from './conversations/en.json';
import type embedTexts from './embed/en.json';
import type texts from './en.json';
import type noticeTexts from './notices/en.json';
import type secondTexts from './second/en.json';
import type sharingTexts from './sharing/en.json';
import type signInTexts from './sign-in/en.json';
import type temporaryTexts from './temporary/en.json';
import type toolTexts from './tools/en.json';
import type traceTexts from './trace/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof texts &
        typeof accountTexts &
        typeof adminTexts &
        typeof answerTexts &
        typeof attachmentTexts &
        typeof sharingTexts &
        typeof embedTexts &
        typeof noticeTexts &
        typeof conversationTexts &
        typeof secondTexts &
        typeof signInTexts &
        typeof temporaryTexts &
        typeof toolTexts &
        typeof traceTexts & { skillTexts: typeof skillTexts };
    };
  }
}
