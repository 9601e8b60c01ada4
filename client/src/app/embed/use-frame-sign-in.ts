import { authApi } from '@knowhow/shared/access/auth';
import { embedApi } from '@knowhow/shared/access/embed';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { refetchUser } from '../../features/account/use-me.ts';
import { useErrorText } from '../../ui/text/use-error-text.ts';

export interface FrameSignIn {
  /** Opens the window. Must be called during a user gesture. */
  begin: () => void;
  /** Why sign-in failed. */
  note: string | undefined;
}

/** Signs in inside the frame through a window that hands over a code: see `hand-over-page.tsx`. */
export function useFrameSignIn(appId: string): FrameSignIn {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [note, setNote] = useState<string>();
  const verifier = useRef<PkcePair>(null);
  const opened = useRef<Window>(null);

  async function take(code: string) {
    try {
      const body = { code, verifier: verifier.current?.secret ?? '' };
      await call(embedApi.signIn, { params: { appId }, body });
      if ((await call(authApi.me, {})).anonymous) {
        setNote(t('embed.notKept'));
      } else {
        refetchUser(queryClient);
      }
    } catch (error) {
      setNote(errorText(error).title);
    }
  }

  useEffect(() => {
    // Computed in advance: a window opens only during a user gesture.
    void createPkcePair().then((made) => {
      verifier.current = made;
    });
  }, []);

  useEffect(() => {
    function onMessage({ source, origin, data }: MessageEvent) {
      if (opened.current && source === opened.current && origin === location.origin) {
        void take(String(data?.code));
      }
    }
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  });

  return {
    note,
    begin: () => {
      const address = `/embed/${appId}/sign-in#${verifier.current?.challenge}`;
      opened.current = window.open(address, '', 'popup,width=480,height=680');
      setNote(opened.current ? undefined : t('embed.blocked'));
    },
  };
}

interface PkcePair {
  /** 32 random bytes. */
  secret: string;
  /** The SHA-256 hash of `secret`. */
  challenge: string;
}

/** A PKCE-style secret of the frame and its challenge, both base64url. Requires HTTPS or localhost. */
async function createPkcePair(): Promise<PkcePair | null> {
  if (!window.isSecureContext) {
    return null;
  }
  const secret = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return { secret, challenge: base64Url(new Uint8Array(digest)) };
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}
