#!/bin/sh
# Runs the Chromium in $CHROMIUM_BINARY with Playwright's arguments, but without the two popups of the address
# bar. Each popup is a page with its own process, recreated for every test; together they took as long as the
# page under test. Chromium uses only the last `--disable-features`, so this extends the existing one.
for argument do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM_BINARY" "$@"
