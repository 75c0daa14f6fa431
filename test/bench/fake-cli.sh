#!/bin/sh
# Claude Code, as far as its driver and the bench need it: the least that a CLI can cost. The model name says what to do.
stay=no
for word in "$@"; do
  case $word in
    --help) echo '--include-partial-messages --no-session-persistence --safe-mode --system-prompt[-file] --tools'; exit ;;
    hold) stay=yes ;;
    # Ends by SIGKILL only.
    defy) stay=yes; trap '' TERM ;;
  esac
done
while read -r _; do :; done
echo '{"type":"system","subtype":"init","model":"m","apiKeySource":"none"}'
echo '{"type":"stream_event","event":{"type":"message_start","message":{"id":"1","usage":{}}}}'
if [ "$stay" = yes ]; then
  sleep 600 &
  echo '{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"#0 "}}}'
  wait
  sleep 600
fi
echo '{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"#0 "}}}'
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"#0 ","stop_reason":"end_turn","usage":{}}'
