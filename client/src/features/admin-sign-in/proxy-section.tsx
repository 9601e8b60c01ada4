import type { proxyStateSchema } from '@knowhow/shared/access/admin-sign-in';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { Section } from '../../ui/layout/section.tsx';
import classes from './admin-sign-in.module.css';

/** A reverse proxy that authenticates users. */
export function ProxySection({ proxy }: { proxy: z.infer<typeof proxyStateSchema> }) {
  const { t } = useTranslation();
  const { title, signed, userHeader, isTrusted } = proxy;
  return (
    <Section title={t('adminSignIn.proxy', { title })}>
      {signed.length > 0 ? (
        <ul className={classes.plain}>
          {signed.map(({ header, issuer, audience }) => (
            <li key={`${header} ${issuer}`}>
              {t('adminSignIn.signedHeader', { header, issuer, audience })}
            </li>
          ))}
        </ul>
      ) : (
        <p className={isTrusted ? undefined : classes.fault}>
          {t(isTrusted ? 'adminSignIn.plainHeader' : 'adminSignIn.notTrusted', {
            header: userHeader,
          })}
        </p>
      )}
    </Section>
  );
}
