#!/bin/sh
# Claude Code, as far as its driver and the soak need it. Its input tokens are the number of the question, above all numbers of
# backends. It notes each question in the file `asked` beside it. When it is told to hold, it does not end by itself.
for word in "$@"; do
  case $word in
    --help) echo '--include-partial-messages --no-session-persistence --safe-mode --system-prompt[-file] --tools'; exit ;;
  esac
done
mark=
seconds=1
while read -r line || [ -n "$line" ]; do
  case $line in
    *'[q'*)
      mark=${line##*'[q'}
      mark=${mark%%]*}
      case $line in *hold*) seconds=600 ;; esac
      ;;
  esac
done
number=$((1000000000 + mark))
echo "q$mark" >>"${0%/*}/asked"
echo '{"type":"system","subtype":"init","model":"m","apiKeySource":"none"}'
echo '{"type":"stream_event","event":{"type":"message_start","message":{"id":"1","usage":{}}}}'
# A program of its own, as agents start them.
sleep "$seconds"
text="q$mark#$number:0 "
echo '{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"'"$text"'"}}}'
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"'"$text"'","stop_reason":"end_turn","usage":{"input_tokens":'"$number"',"output_tokens":1}}'
