import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import classes from '../items/item-page.module.css';
import { SwitchField } from '../switch-field.tsx';
import { SettingNumber } from './setting-number.tsx';
import { WordsField } from './words-field.tsx';

/** Settings of conversations and of answers on the page. */
export function AnswerSettings() {
  const { t } = useTranslation();
  return (
    <>
      <FormSection title={t('settings.conversations')} fields={conversations}>
        <SwitchField
          path="titles.byModel"
          label={t('settings.titles')}
          description={t('settings.titlesAbout')}
        />
        <SwitchField path="sharing.enabled" label={t('settings.sharing')} fallback />
        <SwitchField
          path="sharing.public"
          label={t('settings.sharingPublic')}
          description={t('settings.sharingPublicAbout')}
        />
        <div className={classes.pair}>
          <SettingNumber path="turns.idleMinutes" label={t('settings.turnIdle')} fallback={10} />
          <SettingNumber path="turns.unreadMinutes" label={t('settings.turnUnread')} fallback={0} />
          <SettingNumber
            path="activeSkills.lifetimeDays"
            label={t('settings.activeDays')}
            fallback={90}
          />
          <SettingNumber
            path="activeSkills.maxTotal"
            label={t('settings.activeTotal')}
            fallback={100_000}
          />
        </div>
      </FormSection>
      <FormSection title={t('settings.browser')} fields={browser}>
        <SwitchField
          path="speech.input"
          label={t('settings.speechInput')}
          description={t('settings.speechInputAbout')}
        />
        <SwitchField path="speech.output" label={t('settings.speechOutput')} />
        <SwitchField path="installable" label={t('settings.installable')} fallback />
        <WordsField
          path="answers.imageHosts"
          label={t('settings.imageHosts')}
          description={t('settings.imageHostsAbout')}
        />
      </FormSection>
    </>
  );
}

const conversations = ['titles', 'sharing', 'turns', 'activeSkills'];
const browser = ['speech', 'installable', 'answers'];
