/** Does for one unit what systemd would do: the program in the file is really run, with the variables in it. */
export const systemctlFor = (file: string) => `#!/bin/sh
cd "$HOME" || exit 1
echo "$@" >> calls
case "$*" in
  *restart*)
    sed -n 's/^Environment="\\(.*\\)"$/\\1/p' ${file} > variables
    if [ -f .config/drivebay/service.env ]; then cat .config/drivebay/service.env >> variables; fi
    env -i HOME="$HOME" $(tr '\\n' ' ' < variables) setsid $(sed -n 's/^ExecStart=//p' ${file}) > service.log 2>&1 < /dev/null &
    echo $! > pid ;;
  *reload*drivebay.service*)
    env -i HOME="$HOME" $(tr '\\n' ' ' < variables) $(sed -n 's/^ExecReload=//p' ${file}) ;;
  *disable*) kill "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.05; done ;;
  *is-active*) if kill -0 "$(cat pid)" 2>/dev/null; then echo active; else echo inactive; exit 3; fi ;;
esac
`;
