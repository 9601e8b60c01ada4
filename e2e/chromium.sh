#!/bin/sh
# Runs the Chromium of $CHROMIUM_BINARY with what Playwright asks for, less the two popups of the address
# bar: each is a page with a process of its own, made again for every test, and together they took as
# long as the page that is tested. Of two `--disable-features` only the last would count.
for argument do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM_BINARY" "$@"
