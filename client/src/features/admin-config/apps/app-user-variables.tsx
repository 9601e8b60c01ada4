import { builtInVariables, maxVariableLength } from '@knowhow/shared/access/user-variables';
import { listPlaceholders } from '@knowhow/shared/skills/named-placeholders';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { asLocalized } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import { LocalizedField } from '../localized-field.tsx';
import { NumberField } from '../number-field.tsx';
import { VariableFields } from '../prompts/variable-fields.tsx';
import { MissingVariables, useVariableNames, VariableList } from '../prompts/variable-list.tsx';

/** Questions that each user of an app answers once. */
export function AppUserVariables() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.app.userVariables')}
      description={t('adminConfig.app.userVariablesAbout')}
      holds={{ userVariables: 'questions' }}
    >
      <UnknownPlaces />
      <VariableList
        path="userVariables"
        nameOf={(number) => t('adminConfig.app.userVariable', { number })}
        addLabel={t('adminConfig.app.addUserVariable')}
      >
        {(path, variable) => (
          <VariableFields
            path={path}
            variable={variable}
            nameLabel={t('adminConfig.app.variableName')}
            about={
              <LocalizedField
                path={`${path}.description`}
                label={t('adminConfig.app.variableAbout')}
              />
            }
            requiredAbout={t('adminConfig.app.requiredAbout')}
            typed={
              <NumberField
                path={`${path}.maxLength`}
                label={t('adminConfig.app.variableLength', { max: maxVariableLength })}
              />
            }
          />
        )}
      </VariableList>
    </FormSection>
  );
}

/** Unknown placeholders in the prompt. */
function UnknownPlaces() {
  const { t } = useTranslation();
  const system = asLocalized(useField('system').value) ?? '';
  const texts = typeof system === 'string' ? [system] : Object.values(system);
  const asked = useVariableNames('userVariables');
  const builtIn = new Set<string>(builtInVariables);
  const names = [...new Set(texts.flatMap(listPlaceholders))].filter(
    (name) => !(asked.has(name) || builtIn.has(name)),
  );
  return (
    names.length > 0 && (
      <MissingVariables
        path="userVariables"
        about={t('adminConfig.app.unresolvedPlaceholders', {
          names: names.map((name) => `{{${name}}}`).join(', '),
        })}
        names={names.filter((name) => !name.includes('.'))}
        addLabel={(name) => t('adminConfig.app.askFor', { name })}
      />
    )
  );
}
