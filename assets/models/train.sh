#!/bin/sh
# Trains every model of this folder anew, from fixed seeds on sentences that Heed writes. With the
# same program and number of threads the files come out the same.
#   assets/models/train.sh [NAME ...]
set -eu
cd "$(dirname "$0")/../.."
heed=${HEED:-build/release/bin/heed}

train() {
  name=$1
  shift
  if [ -n "$wanted" ]; then
    case " $wanted " in *" $name "*) ;; *) return 0 ;; esac
  fi
  echo "== $name"
  "$heed" train "$@" --keep last -o "assets/models/$name.safetensors"
}
wanted="$*"

# Weights depend on the number of threads: these are the ones that the shipped files were made on.
two="--threads 2"
one="--threads 1"
sentences="--sentences 200000 --min-length 2 --measure-every 2000"
train zh-en-bahdanau --task zh-en --model seq2seq --cell lstm --hidden 112 --steps 20000 \
  $sentences --schedule step --every 5000 --drop 0.4 --label-smoothing 0.1 $one
train en-fr-bahdanau --task en-fr --model seq2seq --cell lstm --hidden 104 --embedding 36 \
  --steps 28000 $sentences --schedule step --every 6500 --drop 0.4 --label-smoothing 0.1 $one
train dates --task dates --model seq2seq --steps 2500 $two
train reverse --task reverse --model transformer --steps 9000 --max-length 12 $two
train repeat --task repeat --model transformer --architecture decoder-only --positions rotary \
  --steps 6000 --sentences 60000 --max-length 22 --rate 1e-3 --schedule step --every 1500 \
  --drop 0.4 --film assets/pictures/repeat-film.png $one
for pair in "zh-en --seed 3" en-fr; do
  name=${pair%% *}-transformer
  train $name --task $pair --model transformer --d-model 80 --d-ff 320 --steps 24000 \
    $sentences --rate 1e-3 --schedule step --every 4800 --drop 0.4 $one
done
train headlines-en-one-head --task headlines-en --model classifier --heads 1 --steps 3000 \
  --sentences 60000 $one
train headlines-en-four-heads --task headlines-en --model classifier --heads 4 --steps 3000 \
  --sentences 60000 $one
